"""Pictures: boards, trees, graphs and solutions as SVG and as text. Strings only, nothing to install.

Every picture is a whole SVG document that scales, brings its own background, and changes its colours with the
reader's light or dark setting.
"""

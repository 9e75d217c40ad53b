"""For mkdocs: what lies outside docs/ is named on the site, not linked to."""
import re


def on_page_markdown(markdown, **_):
    return re.sub(r"\[([^\]]*)\]\((?:\.\./)+(?!images)([^)]*)\)",
                  lambda link: link[0] if link[2].endswith(".md") and "/" not in link[2] and is_page(link[2])
                  else f"`{link[2]}`" if link[1].endswith(link[2]) else f"{link[1]} (`{link[2]}`)", markdown)


def is_page(name):
    return name.split("#")[0] not in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")

"""Reads pages with html5lib, which stops at the first thing that HTML does not allow, and prints their content."""

import json
import re
import sys
import warnings

warnings.simplefilter("ignore")
import html5lib  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def name_of(element):
    return element.tag.replace(SVG, "svg:").replace("{http://www.w3.org/1999/xhtml}", "")


def text_of(element):
    return "".join(element.itertext())


def cell(element):
    return {
        "name": name_of(element),
        "scope": element.get("scope"),
        "text": " ".join(text_of(element).split()),
        "data": [
            {"value": one.get("value"), "title": one.get("title"), "text": text_of(one), "class": one.get("class") or ""}
            for one in element.iter()
            if name_of(one) == "data"
        ],
    }


def table(element, currency):
    rows = []
    for part in element:
        for row in part:
            if name_of(row) == "tr":
                rows.append({"part": name_of(part), "key": row.get("data-row"), "cells": [cell(one) for one in row]})
    captions = [" ".join(text_of(one).split()) for one in element if name_of(one) == "caption"]
    return {"id": element.get("id"), "currency": currency, "captions": captions, "rows": rows}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        source = file.read()
    root = html5lib.HTMLParser(strict=True, tree=html5lib.getTreeBuilder("etree")).parse(source)
    page = {"elements": {}, "attributes": [], "ids": [], "tables": [], "turned": []}
    page["commands"] = []

    def walk(element, currency, isolated):
        if not isinstance(element.tag, str):
            return
        name = name_of(element)
        page["elements"][name] = page["elements"].get(name, 0) + 1
        for key, value in element.attrib.items():
            if key not in ("d", "value", "title", "data-row", "x", "y", "width", "height"):
                page["attributes"].append([name, key, value])
            if DIRECTIONS.search(value):
                page["turned"].append([name, key])
            if key == "id":
                page["ids"].append(value)
        currency = element.get("data-currency", currency)
        isolated = isolated or name == "bdi"
        if not isolated and DIRECTIONS.search(element.text or ""):
            page["turned"].append([name, "text"])
        if name == "table":
            page["tables"].append(table(element, currency))
        elif name == "pre":
            page["commands"].append(text_of(element))
        for child in element:
            walk(child, currency, isolated)
            if not isolated and DIRECTIONS.search(child.tail or ""):
                page["turned"].append([name, "text"])

    walk(root, None, False)
    page["text"] = " ".join(text_of(root.find("{http://www.w3.org/1999/xhtml}body")).split())
    page["title"] = text_of(root.find(".//{http://www.w3.org/1999/xhtml}title"))
    return page


json.dump([read(path) for path in sys.argv[1:]], sys.stdout)

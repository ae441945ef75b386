"""Compares what the chart renders by default with deploy/kubernetes: helm template ... | python3 same-manifests.py FILE..."""
import sys

import yaml


def read(texts):
    documents = [document for text in texts for document in yaml.safe_load_all(text) if document]
    return {(one["kind"], one["metadata"]["name"]): one for one in documents if one["kind"] != "Namespace"}


rendered = read([sys.stdin.read()])
manifests = read([open(name).read() for name in sys.argv[1:]])
different = sorted(key for key in rendered.keys() | manifests.keys() if rendered.get(key) != manifests.get(key))
for key in different:
    print(f"{' '.join(key)}: the chart renders {rendered.get(key)}, the manifest is {manifests.get(key)}")
sys.exit(1 if different or not rendered else 0)

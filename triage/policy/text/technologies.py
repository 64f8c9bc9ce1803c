"""Finds technologies in a text by whole words and all their aliases."""

import re
from collections.abc import Iterator
from typing import Final

from triage.domain.cases import Cue

NAMES: Final = """
.NET: .net, dotnet, .net core, asp.net, asp.net core
Active Directory: active directory, azure ad, entra id
Airflow: airflow
Android: android
Angular: angular, angularjs, angular.js
Ansible: ansible
Apache: apache, httpd
AWS: aws, amazon web services, ec2, s3, cloudfront, dynamodb, aws lambda
Azure: azure
Bash: bash, shell script
C#: c#, csharp
C++: c++, cpp
Cassandra: cassandra
Chrome: chrome, google chrome, chromium
Confluence: confluence
CSS: css, css3, scss, sass
Debian: debian
Django: django
Docker: docker, dockerfile, docker compose, docker-compose
Edge: microsoft edge, ms edge, edge browser
Elasticsearch: elasticsearch, elastic search, opensearch
Excel: excel, xlsx, ms excel
Exchange: exchange server, exchange online, microsoft exchange
Express: express.js, expressjs
FastAPI: fastapi
Firefox: firefox
Flutter: flutter app, flutter sdk, flutter
GCP: gcp, google cloud, bigquery, gke
Git: git, gitflow
GitHub: github, github actions
GitLab: gitlab, gitlab ci
Go: golang, go module, go modules, go routine, goroutine, goroutines
Grafana: grafana
GraphQL: graphql
Hadoop: hadoop, hdfs, mapreduce, yarn cluster
HTML: html, html5
iOS: ios, iphone, iphones, ipad, ipados, ipads
Java: java, jvm, jdk, jre, openjdk
JavaScript: javascript, js, ecmascript
Jenkins: jenkins
Jira: jira
jQuery: jquery
Kafka: kafka
Kotlin: kotlin
Kubernetes: kubernetes, k8s, kubectl, openshift, aks, eks
Laravel: laravel
LDAP: ldap, ldaps
Linux: linux, ubuntu, centos, rhel, red hat, redhat, fedora, suse
macOS: macos, mac os, os x, osx
Magento: magento
MongoDB: mongodb, mongo
MySQL: mysql, mariadb
Nginx: nginx
Node.js: node.js, nodejs, node js, npm
OAuth: oauth, oauth2, openid connect, oidc
Objective-C: objective-c, objective c
Office 365: office 365, office365, microsoft 365, m365, o365
Oracle: oracle, pl/sql, plsql
Outlook: outlook
Perl: perl
PHP: php
Postfix: postfix
PostgreSQL: postgresql, postgres, psql, postgre
PowerShell: powershell
Prometheus: prometheus
Python: python, python2, python3, pip
RabbitMQ: rabbitmq
React: react.js, reactjs, react component, react components, react hook, react hooks
React Native: react native, react-native
Redis: redis
REST: rest api, rest-api, restful
Ruby: ruby, ruby on rails
Rust: rustc, rust compiler, rust crate
Safari: safari
Salesforce: salesforce
SAML: saml, saml2
SAP: sap, s/4hana, sap hana
Scala: scala
ServiceNow: servicenow
SharePoint: sharepoint
Shopify: shopify
Spark: apache spark, pyspark, spark job, spark sql
Splunk: splunk
Spring: spring boot, springboot, spring framework, spring security
SQL: sql
SQL Server: sql server, mssql, ms sql, t-sql
SQLite: sqlite, sqlite3
SSL/TLS: ssl, tls
Swift: swiftui, swift compiler, swift package
Symfony: symfony
Teams: microsoft teams, ms teams
Terraform: terraform
Tomcat: tomcat
TypeScript: typescript
Unity: unity engine, unity3d
Vue.js: vue.js, vuejs
VMware: vmware, esxi, vsphere
VPN: vpn, openvpn, wireguard
Webpack: webpack
WebSocket: websocket, websockets
Windows: windows server, windows pc, windows laptop, windows machine, windows client, win10, win11
Word: microsoft word, ms word, docx
WordPress: wordpress, woocommerce
Xcode: xcode
"""
"""Names that are also plain words (`go`, `swift`, `edge`, `word`) stand only in forms that nothing else has."""

VERSIONED: Final = {
    "edge": "Edge",
    "go": "Go",
    "rails": "Ruby",
    "react": "React",
    "rust": "Rust",
    "spark": "Spark",
    "swift": "Swift",
    "vue": "Vue.js",
    "windows": "Windows",
}
"""Plain words that are a technology when a version follows: `Go 1.22`."""
SPELT: Final = frozenset({"Windows"})
"""Plain words that are a technology when they are written just so: two windows are none."""

TOKEN: Final = re.compile(r"\.?\w+(?:[./'-]\w+)*[+#]*")
VERSION: Final = re.compile(r"v?\d+(?:\.\d+)*")
ORACLE_ERROR: Final = re.compile(r"ORA-\d{5}")
LONGEST_WORD: Final = 80
MOST_CHUNKS: Final = 2_500
MOST_WORDS: Final = 4


def _by_alias() -> dict[tuple[str, ...], str]:
    lines = (line.partition(": ") for line in NAMES.strip().splitlines())
    return {tuple(alias.split()): name for name, _, aliases in lines for alias in aliases.split(", ")}


BY_ALIAS: Final = _by_alias()


def technologies_in(*texts: str) -> tuple[Cue, ...]:
    """Each technology once, in the order of its first mention, with the names it was called by."""
    seen: dict[str, dict[str, None]] = {}
    for text in texts:
        for name, evidence in _mentions(_tokens(text)):
            seen.setdefault(name, {}).setdefault(evidence)
    return tuple(Cue(value=name, evidence=tuple(said)) for name, said in seen.items())


def _tokens(text: str) -> list[str]:
    """Words with the signs that names are made of; a pair such as `Java/Kotlin` is two unless it is a name."""
    found: list[str] = []
    for chunk in text.split()[:MOST_CHUNKS]:
        if "://" in chunk or "@" in chunk or len(chunk) > LONGEST_WORD:
            found.append("")
            continue
        for token in TOKEN.findall(chunk):
            found += [token] if (token.lower(),) in BY_ALIAS or "." in token else _pieces(token)
    return found


def _pieces(token: str) -> list[str]:
    if ORACLE_ERROR.fullmatch(token):
        return [token]
    return [piece for piece in re.split(r"[/-]", token) if piece]


def _mentions(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """The longest name wherever several fit; `React Native` is not React."""
    folded = [token.lower() for token in tokens]
    at = 0
    while at < len(tokens):
        length = next((n for n in range(MOST_WORDS, 0, -1) if tuple(folded[at : at + n]) in BY_ALIAS), 0)
        if length:
            yield BY_ALIAS[tuple(folded[at : at + length])], " ".join(tokens[at : at + length])
        elif ORACLE_ERROR.fullmatch(tokens[at]):
            yield "Oracle", tokens[at]
        elif tokens[at] in SPELT:
            yield tokens[at], tokens[at]
        elif folded[at] in VERSIONED and at + 1 < len(tokens) and VERSION.fullmatch(folded[at + 1]):
            yield VERSIONED[folded[at]], f"{tokens[at]} {tokens[at + 1]}"
        at += length or 1

# Triage in a container: slim Python, the locked packages, a user without rights. See compose.yaml.
FROM python:3.11-slim AS build
WORKDIR /srv/triage
# The version that tests/setup.sh uses, too.
RUN pip install --no-cache-dir uv==0.13.8
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
COPY pyproject.toml uv.lock ./
RUN uv sync --frozen --no-dev --all-extras --no-install-project
COPY README.md LICENSE ./
COPY cli cli
COPY triage triage
COPY integrations integrations
COPY prompts prompts
COPY web web
COPY webhooks webhooks
RUN uv sync --frozen --no-dev --all-extras --no-editable \
 && .venv/bin/python -c "from triage.config.word_lists import FOLDER, kept_lists; kept_lists(FOLDER, write=True)"

FROM python:3.11-slim
RUN useradd --uid 10001 --create-home --home-dir /var/lib/triage triage
COPY --from=build /srv/triage/.venv /srv/triage/.venv
ENV PATH=/srv/triage/.venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
USER triage
# The search index over the tickets, and the memory's notes; a volume that is mounted there gets this owner.
RUN mkdir -m 700 /var/lib/triage/index /var/lib/triage/memory
# A relative SQLite path and triage.yaml are looked for here; mount a volume to keep the former.
WORKDIR /var/lib/triage
ENTRYPOINT ["triage"]
CMD ["serve"]

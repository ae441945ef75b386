FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/console/package.json packages/console/
COPY packages/rules/package.json packages/rules/
COPY packages/scenarios/package.json packages/scenarios/
COPY packages/templates/package.json packages/templates/
# Only the packages that build the console and the command agent-tests: their files are kept, the packages are not.
RUN npm ci --omit=dev --ignore-scripts --workspace packages/console --workspace packages/client --workspace packages/rules \
  --workspace packages/scenarios --workspace packages/templates
COPY packages/client/src packages/client/src
COPY packages/rules/src packages/rules/src
COPY packages/scenarios/scenario.schema.json packages/scenarios/
COPY packages/scenarios/scripts packages/scenarios/scripts
COPY packages/scenarios/src packages/scenarios/src
COPY packages/templates/scenarios packages/templates/scenarios
COPY packages/templates/src packages/templates/src
COPY packages/console/build.ts packages/console/
COPY packages/console/src packages/console/src
RUN node packages/console/build.ts

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/guard/package.json packages/guard/
COPY packages/redaction/package.json packages/redaction/
COPY packages/rules/package.json packages/rules/
COPY packages/scenarios/package.json packages/scenarios/
COPY packages/server/package.json packages/server/
COPY packages/templates/package.json packages/templates/
# The optional packages contain Node.js 24, which the base image already has.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY LICENSE ./
COPY packages/client/src packages/client/src
COPY packages/guard/src packages/guard/src
COPY packages/redaction/src packages/redaction/src
COPY packages/rules/src packages/rules/src
COPY packages/scenarios/src packages/scenarios/src
COPY packages/server/src packages/server/src
COPY packages/server/scripts packages/server/scripts
# npm's postinstall step: the embedded database's image, for containers without DATABASE_URL.
RUN node packages/server/src/db/prepare-image.ts

FROM node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
WORKDIR /app
# Otherwise the C library keeps and fragments the memory of large bodies: half as much memory again.
ENV NODE_ENV=production DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
RUN install -d -o 1000 -g 1000 /data
COPY --from=build /app ./
COPY --from=console /app/packages/console/dist packages/console/dist
# The user `node`, by number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/server/src/start.cjs"]

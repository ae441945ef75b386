FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages are the Node.js that a machine without version 24 needs; the base image has it.
RUN npm ci --omit=dev --omit=optional --ignore-scripts
COPY LICENSE ./
COPY src ./src
COPY scripts ./scripts
# What npm would run after the installation: the embedded database's image, for containers without DATABASE_URL.
RUN node src/db/prepare-image.ts

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
RUN install -d -o 1000 -g 1000 /data
COPY --from=build /app ./
# `node`, by number, so that an orchestrator can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/start.cjs"]

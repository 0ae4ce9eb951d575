# The service with its embedded PostgreSQL; with DATABASE_URL that is not started. Without any setting it is one to look
# at, on http://localhost:8080, and prints an admin token once. docs/operating.md says how to run it.
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci
RUN npm run package -- /package

FROM node:24-slim
COPY --from=build /package /app
RUN mkdir -p /data
RUN chown node:node /data
ENV PORT=8080
ENV DATA_DIR=/data
USER node
WORKDIR /app
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "/app/health-check.js"]
ENTRYPOINT ["node", "/app/container.js"]

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build -- --production

FROM node:24.21.0-bookworm-slim AS packages
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates
WORKDIR /app
COPY package.json package-lock.json ./
# Without the optional ones too: the embedded PostgreSQL, and Prisma's CLI, which its client names as a peer.
RUN npm ci --omit=dev --omit=optional
# Two thirds of the packages are never loaded: Temporal's SDK for other platforms and its source, Prisma's compilers for
# other databases, source maps, types and documents.
RUN cd node_modules \
  && rm -r @temporalio/core-bridge/sdk-core \
  && find @temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && find @prisma/client/runtime -name 'query_compiler_*' ! -name 'query_compiler_fast_bg.postgresql.*' -delete \
  && find . -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
RUN install -d -o node -g node /journal
# Temporal's SDK trusts the authorities of the system, and the base image has none.
COPY --from=packages /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY package.json ./
COPY --from=packages /app/node_modules node_modules
COPY bin bin
COPY prisma/migrations prisma/migrations
COPY --from=build /app/dist dist
USER node
EXPOSE 3000
CMD ["bin/recaudo", "api"]

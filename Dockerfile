FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build -- --production

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Without the optional ones too: the embedded PostgreSQL, and Prisma's CLI, which its client names as a peer.
RUN npm ci --omit=dev --omit=optional

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY package.json ./
COPY bin bin
COPY prisma/migrations prisma/migrations
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
RUN install -d -o node -g node /journal
USER node
EXPOSE 3000
CMD ["bin/recaudo", "api"]

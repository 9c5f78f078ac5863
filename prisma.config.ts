import { defineConfig } from 'prisma/config';

// The Prisma CLI looks for a schema engine even where it needs none, and cannot fetch one behind a closed network.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= __filename;

export default defineConfig({ schema: 'prisma/schema.prisma', migrations: { path: 'prisma/migrations' } });

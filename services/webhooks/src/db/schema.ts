import { sql } from "kysely";

/** The schema that this service owns. */
export const schema = "webhooks";

const named = (table: string) => sql`${sql.id(schema, table)} as ${sql.id(table)}`;

/** The tables by name, for statements that are written as text. */
export const tables = {
  attempt: named("attempt"),
  deletedEndpoint: named("deleted_endpoint"),
  delivery: named("delivery"),
  endpoint: named("endpoint"),
  endpointHour: named("endpoint_hour"),
  event: named("event"),
  lane: named("lane"),
} as const;

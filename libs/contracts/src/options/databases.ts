import { z } from "zod";
import type { ServiceName } from "../service-name.ts";
import { section } from "./option.ts";

/** A driver prefers these to what stands before the host, by which rights are given and addresses put together. */
const namesInParameters = (text: string): boolean =>
  ["user", "password"].some((name) => URL.parse(text)?.searchParams.has(name));

const isDecodable = (text: string): boolean => {
  const { username = "", password = "" } = URL.parse(text) ?? {};
  try {
    return [username, password].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
};

const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres URL" })
  .refine((text) => !namesInParameters(text), {
    error: "must have user and password before the host, not as parameters",
  })
  .refine(isDecodable, { error: "must have a % in user or password as %25" });

/** An address of Postgres, with what signs in there. */
export const databaseUrl = (meaning: string) =>
  postgresUrl.optional().describe(meaning).meta({ secret: "address" });

const databaseOf = (service: ServiceName) => {
  const prefix = service.toUpperCase();
  return section({
    url: databaseUrl(
      `Postgres by a role of this service's own, in place of \`databaseUrl\`. (${prefix}_DATABASE_URL)`,
    ),
    directUrl: databaseUrl(
      `The same without a pooler between; by default that role where \`directDatabaseUrl\` leads. (${prefix}_DIRECT_DATABASE_URL)`,
    ),
  });
};

export const databaseOptions = section({
  gateway: databaseOf("gateway"),
  identity: databaseOf("identity"),
  organization: databaseOf("organization"),
  apikey: databaseOf("apikey"),
  mailer: databaseOf("mailer"),
});

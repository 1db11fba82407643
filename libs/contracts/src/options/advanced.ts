import { z } from "zod";
import { functionOption, section } from "./option.ts";

const cookieAttributes = z.strictObject({
  domain: z.string().optional(),
  path: z.string().startsWith("/").optional(),
  httpOnly: z.boolean().optional(),
  sameSite: z.enum(["lax", "strict", "none"]).optional(),
  partitioned: z.boolean().optional(),
});
export type CookieAttributes = z.output<typeof cookieAttributes>;

const cookieOverride = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]+$/, "must be letters, digits, `_`, `.` or `-`")
    .optional(),
  attributes: cookieAttributes.prefault({}),
});

export const advancedOptions = section({
  ipAddress: section({
    ipAddressHeaders: z
      .array(z.string().toLowerCase())
      .default(["x-forwarded-for"])
      .describe("Headers that carry the client's address when the peer is a trusted proxy."),
    disableIpTracking: z
      .boolean()
      .default(false)
      .describe("Addresses are not kept with sessions or in the audit log."),
  }),
  useSecureCookies: z
    .boolean()
    .optional()
    .describe("Secure cookies named `__Secure-`; by default when the base URL is https."),
  disableCSRFCheck: z
    .boolean()
    .default(false)
    .describe("Switches off the check of Origin; redirect URLs stay checked."),
  crossSubDomainCookies: section({
    enabled: z.boolean().default(false).describe("Cookies carry a Domain."),
    domain: z.string().optional().describe("By default the host name of the base URL."),
  }),
  cookiePrefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, `_` or `-`")
    .default("auth")
    .describe("First part of the name of every cookie."),
  defaultCookieAttributes: cookieAttributes
    .prefault({})
    .describe("Attributes of every cookie, over the built-in ones."),
  cookies: z
    .strictObject({
      session_token: cookieOverride.optional(),
      session_data: cookieOverride.optional(),
      dont_remember: cookieOverride.optional(),
      admin_session: cookieOverride.optional(),
      state: cookieOverride.optional(),
    })
    .prefault({})
    .describe("Name and attributes of one cookie, over everything else."),
  outbound: section({
    privateHosts: z
      .array(
        z
          .string()
          .toLowerCase()
          .regex(
            /^(?:[^\s:/@[\]]+|(?=.*:.*:)[0-9a-f:.]+)$/,
            "must be a host name or an address, without port and brackets",
          ),
      )
      .default([])
      .describe(
        "Host names and addresses that may be called although they are private or speak plain http.",
      ),
  }),
  redisKeyPrefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, `_` or `-`")
    .default("latchkey")
    .describe("First part of every key in Redis, so that installations can share one."),
  database: section({
    useNumberId: z
      .boolean()
      .default(false)
      .describe(
        "Ids count up from 1, a sequence for each table; as text on the wire all the same.",
      ),
    defaultFindManyLimit: z
      .int()
      .min(1)
      .max(1000)
      .default(100)
      .describe("Rows that a list gives where none are asked for."),
    generateId: z
      .union([
        functionOption<(input: { model: string; size: number }) => string>(),
        z.literal(false),
      ])
      .default(false)
      .describe("Makes the ids of rows, tokens not; without a function they are made by default."),
    preparedStatements: z
      .boolean()
      .default(true)
      .describe(
        "Named prepared statements; off behind a pooler that cannot keep them, such as PgBouncer before 1.21. (DATABASE_PREPARED_STATEMENTS)",
      ),
    poolMax: z
      .int()
      .min(1)
      .max(1000)
      .default(10)
      .describe("Connections to Postgres of one service in one process."),
  }),
});

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
      .describe("Headers that carry the client's address if the peer is a trusted proxy."),
    disableIpTracking: z
      .boolean()
      .default(false)
      .describe("Does not store addresses with sessions or in the audit log."),
  }),
  useSecureCookies: z
    .boolean()
    .optional()
    .describe(
      "Uses secure cookies named `__Secure-`. By default on if the base URL is https. Without a base URL, on if a trusted proxy reports https for the request.",
    ),
  disableCSRFCheck: z
    .boolean()
    .default(false)
    .describe("Turns the check of Origin off. Redirect URLs are still checked."),
  crossSubDomainCookies: section({
    enabled: z.boolean().default(false).describe("Sets the Domain attribute of cookies."),
    domain: z
      .string()
      .optional()
      .describe(
        "Domain of the cookies: the host name of the base URL, which is the default, or a parent. Browsers refuse public suffixes. Only those of one label, such as `com`, are refused at the start, and others, such as `co.uk`, are not.",
      ),
  }),
  cookiePrefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, `_` or `-`")
    .default("auth")
    .describe(
      "Prefix of all cookie names. It may begin with `__Host-` on https, without domain and other paths.",
    ),
  defaultCookieAttributes: cookieAttributes
    .prefault({})
    .describe("Attributes of all cookies. They override the built-in ones."),
  cookies: z
    .strictObject({
      session_token: cookieOverride.optional(),
      session_data: cookieOverride.optional(),
      dont_remember: cookieOverride.optional(),
      admin_session: cookieOverride.optional(),
      state: cookieOverride.optional(),
      mailed_link: cookieOverride.optional(),
      two_factor: cookieOverride.optional(),
      trust_device: cookieOverride.optional(),
      passkey_challenge: cookieOverride.optional(),
      magic_link: cookieOverride.optional(),
      email_otp: cookieOverride.optional(),
      phone_otp: cookieOverride.optional(),
      sign_up: cookieOverride.optional(),
      known_browser: cookieOverride.optional(),
    })
    .prefault({})
    .describe("Name and attributes of single cookies. They override everything else."),
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
        "Host names and addresses that may be called although they are private or use plain http.",
      ),
  }),
  redisKeyPrefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, "must be letters, digits, `_` or `-`")
    .default("latchkey")
    .describe("Prefix of all Redis keys, so that installations can share a Redis."),
  database: section({
    useNumberId: z
      .boolean()
      .default(false)
      .describe("Numbers ids from 1 with one sequence per table. On the wire they are still text."),
    defaultFindManyLimit: z
      .int()
      .min(1)
      .max(1000)
      .default(100)
      .describe("Default page size of lists."),
    generateId: z
      .union([
        functionOption<(input: { model: string; size: number }) => string>(),
        z.literal(false),
      ])
      .default(false)
      .describe("Generates the ids of rows, but not tokens. By default, Latchkey generates them."),
    preparedStatements: z
      .boolean()
      .default(true)
      .describe(
        "Uses named prepared statements. Turn off for a pooler that does not support them, such as PgBouncer before 1.21. (DATABASE_PREPARED_STATEMENTS)",
      ),
    poolMax: z
      .int()
      .min(1)
      .max(1000)
      .default(10)
      .describe("Postgres connections of each service in each process."),
  }),
});

import { z } from "zod";
import { operation } from "../../operation.ts";
import { timestamp } from "../../plain-text.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  feature: "admin",
  access: "permission",
} as const;

const signingKey = z.object({
  /** The `kid` of tokens that it signs. */
  id: z.string(),
  alg: z.string(),
  createdAt: timestamp,
  /** `next` will sign, `signing` does, and `published` only verifies what it has signed. */
  state: z.enum(["next", "signing", "published"]),
  /** Whether its private half can be opened with the secrets of now; one that cannot signs nothing. */
  opens: z.boolean(),
  /** When it takes over; null unless it is next. */
  signsAt: timestamp.nullable(),
  /** Since when there is a newer one. */
  retiredAt: timestamp.nullable(),
  /** Until when what it has signed can be verified; null while nothing ends it. */
  publishedUntil: timestamp.nullable(),
});
export type SigningKeyEntry = z.output<typeof signingKey>;

/** The keys that tokens are signed with, never their private halves. */
export const signingKeyAdminOperations = {
  adminListSigningKeys: operation({
    ...ofAdmin,
    name: "adminListSigningKeys",
    method: "GET",
    path: "/admin/signing-keys",
    summary: "Lists the signing keys that are published, newest first.",
    permission: {
      resource: "signingKey",
      action: "list",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_SIGNING_KEYS",
    },
    reply: z.object({ keys: z.array(signingKey) }),
    errors: [],
    repeatable: true,
  }),
  adminRotateSigningKeys: operation({
    ...ofAdmin,
    name: "adminRotateSigningKeys",
    method: "POST",
    path: "/admin/signing-keys/rotate",
    summary:
      "Makes a signing key that takes over once verifiers know it; while one is about to, gives that one.",
    permission: {
      resource: "signingKey",
      action: "rotate",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_ROTATE_SIGNING_KEYS",
    },
    reply: z.object({ key: signingKey }),
    errors: ["SIGNED_TOKENS_ARE_NOT_ENABLED"],
  }),
} as const;

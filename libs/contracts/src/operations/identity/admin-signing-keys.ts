import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { timestamp } from "../../plain-text.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const signingKey = z.object({
  /** The `kid` of the tokens that it signs. */
  id: z.string(),
  alg: z.string(),
  createdAt: timestamp,
  /** `next` will sign, `signing` signs, and `published` only verifies tokens that it has signed. */
  state: z.enum(["next", "signing", "published"]),
  /** Whether the current secrets can decrypt its private key. A key that cannot be decrypted signs nothing. */
  opens: z.boolean(),
  /** When it starts to sign. Null unless its state is `next`. */
  signsAt: timestamp.nullable(),
  /** When a newer key replaced it. */
  retiredAt: timestamp.nullable(),
  /** Until when its tokens can be verified. Null while nothing ends that. */
  publishedUntil: timestamp.nullable(),
});
export type SigningKeyEntry = z.output<typeof signingKey>;

/** The keys that sign tokens, never their private halves. */
export const signingKeyAdminOperations = operationGroup("Admin", {
  adminListSigningKeys: operation({
    ...ofAdmin,
    name: "adminListSigningKeys",
    stepUp: stepUps.reads,
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
    stepUp: stepUps.signingKeys,
    method: "POST",
    path: "/admin/signing-keys/rotate",
    summary:
      "Creates a signing key that starts to sign once verifiers know it. Returns the pending key if there is one.",
    permission: {
      resource: "signingKey",
      action: "rotate",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_ROTATE_SIGNING_KEYS",
    },
    reply: z.object({ key: signingKey }),
    errors: ["SIGNED_TOKENS_ARE_NOT_ENABLED"],
  }),
});

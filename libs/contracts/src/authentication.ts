import { z } from "zod";

/**
 * The ways to sign in. A new one is declared here, with what it proves. How it counts beside other ways and second factors follows.
 *
 * - `mailbox`: only that the user reads the mailbox. A code by mail is no second factor after it, and `option` turns it on.
 * - `phone`: only that the user receives text messages at the number.
 * - `user`: more than that.
 *
 * `amr` is its name in ID tokens (RFC 8176).
 */
export const signInMethods = {
  password: { proves: "user", mayBeExempt: false, amr: "pwd" },
  passkey: { proves: "user", mayBeExempt: false, amr: "swk" },
  /** At a provider. Sessions name it, as `social:github`. */
  social: { proves: "user", mayBeExempt: true, amr: "sso" },
  "magic-link": { proves: "mailbox", mayBeExempt: true, option: "magicLink", amr: "otp" },
  "email-otp": { proves: "mailbox", mayBeExempt: true, option: "emailOTP", amr: "otp" },
  /** A code by text message. Numbers change hands, so it is never exempt from second factors. */
  "sms-otp": { proves: "phone", mayBeExempt: false, option: "phoneNumber", amr: "sms" },
} as const;

type Methods = typeof signInMethods;
type MethodsWith<Members> = {
  [Name in keyof Methods]: Methods[Name] extends Members ? Name : never;
}[keyof Methods];

/** The ways to sign in that prove nothing but access to a mailbox. */
export type MailMethod = MethodsWith<{ proves: "mailbox" }>;

/** The ways to sign in that options may exempt from second factors. */
export type ExemptMethod = MethodsWith<{ mayBeExempt: true }>;

const namesOf = (): (keyof Methods)[] => Object.keys(signInMethods) as (keyof Methods)[];

export const mailMethods = namesOf().filter(
  (name): name is MailMethod => signInMethods[name].proves === "mailbox",
);
export const exemptMethods = namesOf().filter(
  (name): name is ExemptMethod => signInMethods[name].mayBeExempt,
);

/** Steps that may follow a sign-in. */
export const secondSteps = ["totp", "otp", "backup-code", "trusted-device"] as const;

/** A way in which a user has proven who they are. */
export type AuthenticationMethod =
  | Exclude<keyof Methods, "social">
  | `social:${string}`
  | (typeof secondSteps)[number]
  /** The session was allowed in another one, whose methods it has too. */
  | "device";

const declarationOf = (method: AuthenticationMethod): Methods[keyof Methods] | undefined => {
  const name = method.startsWith("social:") ? "social" : method;
  return Object.hasOwn(signInMethods, name) ? signInMethods[name as keyof Methods] : undefined;
};

/** Returns whether a user has shown access to a mailbox, and nothing else but second steps. */
export const isMailboxAlone = (methods: readonly AuthenticationMethod[]): boolean => {
  const proofs = new Set(methods.map((method) => declarationOf(method)?.proves));
  return proofs.has("mailbox") && !proofs.has("user");
};

/** Returns whether options exempt a way to sign in from second factors. */
export const isExempt = (
  { skipFor }: { readonly skipFor: readonly ExemptMethod[] },
  method: AuthenticationMethod,
): boolean => skipFor.some((name) => declarationOf(method) === signInMethods[name]);

/** How the user of a session was authenticated. Times are ISO 8601. */
export const authenticationSchema = z.object({
  /** When the user last proved who they are in this session. */
  authenticatedAt: z.string(),
  /** When the user last passed a second factor in this session. Null if they have not. */
  secondFactorAt: z.string().nullable(),
  /** Values of `AuthenticationMethod`, in their order. */
  methods: z.array(z.string()),
});
export type Authentication = z.output<typeof authenticationSchema>;

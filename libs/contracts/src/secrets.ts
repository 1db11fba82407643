import type { AccessKind } from "./facts.ts";
import type { VerificationRow } from "./options/hooks.ts";

/** Seconds, or the option that sets them. */
type Lifetime = number | string;

export interface SecretDeclaration {
  /** The effect of its use, for the documents. */
  readonly gives: string;
  /** The row names it, so that the secret can end with it. */
  readonly holder: "user" | "address" | "phone number" | "session" | "installation" | "browser";
  readonly lifetime: Lifetime;
  /** The option that limits attempts, or their number. Absent where a guess is hopeless. */
  readonly tries?: number | string;
  /** Must present it together with its holder. */
  readonly boundTo?: "browser" | "application" | "session" | "sign-in or session";
  /** The form in a store. A reader of the store can use none of them. */
  readonly stored: string;
  /** The kind of access with which it ends (`facts.ts`). Absent if only its use and its expiry end it. */
  readonly endsWith?: AccessKind;
}

/** A secret of random characters, stored as a row of identity's table `verification`. */
interface TokenDeclaration extends SecretDeclaration {
  /** The start of the row's identifier. The rest is a hash of the token. */
  readonly prefix: string;
  /** The start of the value that names what the token is of. */
  readonly valuePrefix?: string;
  readonly length: number;
  readonly alphabet: "alphanumeric" | "letters" | "lowerAlphanumeric" | "urlSafe";
  /** The purpose from which the key of its sealed content is derived. Absent if its row has no content. Never changes. */
  readonly sealedFor?: string;
  /** The name by which hooks of the application know it. The options may store such a token unhashed. */
  readonly hookPurpose?: VerificationRow["purpose"];
}

const tokenHash = "SHA-256";
const hookedHash = "SHA-256, or as it is by the option `verification.storeIdentifier`";

/** The secrets of random characters that work once. */
export const secretTokens = {
  passwordReset: {
    gives: "chooses a password, after a reset or an invitation",
    holder: "user",
    lifetime: "emailAndPassword.resetPasswordTokenExpiresIn, admin.invitationExpiresIn",
    stored: hookedHash,
    endsWith: "passwordLinks",
    prefix: "reset-password:",
    length: 24,
    alphabet: "alphanumeric",
    hookPurpose: "reset-password",
  },
  accountDeletion: {
    gives: "deletes the user",
    holder: "user",
    lifetime: "user.deleteUser.deleteTokenExpiresIn",
    stored: hookedHash,
    endsWith: "otherLinks",
    prefix: "delete-account-",
    length: 32,
    alphabet: "lowerAlphanumeric",
    hookPurpose: "delete-account",
  },
  signInState: {
    gives: "returns from a provider, to sign in or to link an account",
    holder: "user",
    lifetime: 600,
    boundTo: "browser",
    stored: hookedHash,
    endsWith: "otherLinks",
    prefix: "sign-in-state:",
    sealedFor: "sign-in state",
    length: 32,
    alphabet: "urlSafe",
    hookPurpose: "sign-in-state",
  },
  /** The same token as the state of a mobile app, used once more by the app's browser. */
  appBrowser: {
    gives: "moves the sign-in of a mobile app to the app's browser",
    holder: "browser",
    lifetime: 600,
    stored: hookedHash,
    prefix: "app-browser:",
    length: 32,
    alphabet: "urlSafe",
    hookPurpose: "sign-in-state",
  },
  /** Google issues it, and it is stored only to work once. */
  oneTapToken: {
    gives: "signs in the user of Google whom it names",
    holder: "browser",
    lifetime: 60,
    stored: tokenHash,
    prefix: "one-tap:",
    length: 32,
    alphabet: "urlSafe",
  },
  emailVerification: {
    gives: "proves an address, or takes a new one",
    holder: "user",
    lifetime: "emailVerification.expiresIn",
    stored: "SHA-256 of the identifier that is signed in the link",
    endsWith: "passwordLinks",
    prefix: "verify-email:",
    length: 32,
    alphabet: "alphanumeric",
  },
  emailUndo: {
    gives: "sets the former address back",
    holder: "user",
    lifetime: 7 * 86_400,
    stored: tokenHash,
    endsWith: "undoLinks",
    prefix: "undo-email:",
    sealedFor: "undo of an address",
    // Not the id alone, because the tokens that a later change ends are found by it.
    valuePrefix: "undo-email:",
    length: 32,
    alphabet: "letters",
  },
  magicLink: {
    gives: "signs in",
    holder: "address",
    lifetime: "magicLink.expiresIn",
    stored: tokenHash,
    endsWith: "mailedSignIns",
    prefix: "magic-link:",
    sealedFor: "magic link",
    length: 32,
    alphabet: "letters",
  },
  pendingSignUp: {
    gives: "completes a sign-up that lacks required fields",
    holder: "browser",
    lifetime: 900,
    boundTo: "browser",
    stored: tokenHash,
    prefix: "pending-sign-up:",
    sealedFor: "pending sign-up",
    length: 32,
    alphabet: "urlSafe",
  },
  oneTimeToken: {
    gives: "passes a session to another application",
    holder: "user",
    lifetime: "oneTimeToken.expiresIn",
    boundTo: "application",
    stored: "SHA-256 of the application's origin and the token",
    endsWith: "passwordLinks",
    prefix: "one-time-token:",
    sealedFor: "one-time token",
    length: 43,
    alphabet: "urlSafe",
  },
  impersonationLink: {
    gives: "impersonates a user",
    holder: "session",
    lifetime: 60,
    boundTo: "session",
    stored: tokenHash,
    prefix: "impersonation:",
    sealedFor: "impersonation link",
    length: 32,
    alphabet: "alphanumeric",
  },
  firstRun: {
    gives: "creates the first admin",
    holder: "installation",
    lifetime: 3_600,
    stored: tokenHash,
    prefix: "first-run:",
    length: 32,
    alphabet: "alphanumeric",
  },
} as const satisfies Readonly<Record<string, TokenDeclaration>>;
export type SecretTokenName = keyof typeof secretTokens;

/** Secrets with tables of their own, because they count attempts, are bound to a sign-in, or are used more than once. */
const others = {
  emailCode: {
    gives: "signs in, proves or changes an address, or chooses a password",
    holder: "address",
    lifetime: "emailOTP.expiresIn",
    tries: "emailOTP.allowedAttempts",
    boundTo: "browser",
    stored: "HMAC of purpose, address and code",
    endsWith: "mailedSignIns",
  },
  phoneCode: {
    gives: "signs in, proves a phone number, or chooses a password",
    holder: "phone number",
    lifetime: "phoneNumber.expiresIn",
    tries: "phoneNumber.allowedAttempts",
    boundTo: "browser",
    stored: "HMAC of purpose, number and code",
    endsWith: "mailedSignIns",
  },
  secondFactorCode: {
    gives: "is the second factor, by mail",
    holder: "user",
    lifetime: "twoFactor.otpOptions.period",
    tries: "twoFactor.otpOptions.allowedAttempts",
    boundTo: "sign-in or session",
    stored: "HMAC of subject, user and code",
    endsWith: "waiting",
  },
  waitingSignIn: {
    gives: "continues a sign-in by its second factor",
    holder: "user",
    lifetime: "twoFactor.twoFactorCookieMaxAge",
    tries: 5,
    boundTo: "browser",
    stored: tokenHash,
    endsWith: "waiting",
  },
  backupCode: {
    gives: "is the second factor, once",
    holder: "user",
    lifetime: "none",
    boundTo: "sign-in or session",
    stored: "salted hash, sealed",
  },
  authenticatorApp: {
    gives: "turns an authenticator app on by its first code",
    holder: "user",
    lifetime: 3_600,
    stored: "sealed",
    endsWith: "waiting",
  },
  trustedBrowser: {
    gives: "needs no second factor for a while, and is replaced by each use",
    holder: "user",
    lifetime: "twoFactor.trustDeviceMaxAge",
    boundTo: "browser",
    stored: tokenHash,
    endsWith: "trust",
  },
  passkeyChallenge: {
    gives: "registers a passkey or signs in by one",
    holder: "browser",
    lifetime: 300,
    boundTo: "browser",
    stored: "SHA-256 of the browser's value and the challenge",
  },
  forwardedResponse: {
    gives: "returns from a provider to a preview, with the state of its browser",
    holder: "browser",
    lifetime: 60,
    boundTo: "browser",
    stored: "not at all: it is sealed, and only a URL contains it",
  },
  organizationInvitation: {
    gives: "joins an organization, for the user with the invited address",
    holder: "address",
    lifetime: "organization.invitationExpiresIn",
    stored: "as it is, because it works for that user only",
  },
  invitedAddress: {
    gives: "verifies the invited address, for a user who signs up with it",
    holder: "address",
    lifetime: "organization.invitationExpiresIn",
    stored: "not at all: it is sealed, and only the mail contains it",
  },
  authorizationCode: {
    gives: "gets tokens with which another application acts for the user",
    holder: "user",
    lifetime: "oauthProvider.codeExpiresIn",
    boundTo: "application",
    stored: tokenHash,
    endsWith: "grants",
  },
  refreshToken: {
    gives: "gets new tokens of another application, and is replaced by each use",
    holder: "user",
    lifetime: "oauthProvider.refreshTokenExpiresIn",
    boundTo: "application",
    stored: tokenHash,
    endsWith: "grants",
  },
  deviceCode: {
    gives: "gets the session or the tokens of a device, once its user has confirmed",
    holder: "user",
    lifetime: "deviceAuthorization.expiresIn",
    boundTo: "application",
    stored: tokenHash,
    endsWith: "grants",
  },
  deviceUserCode: {
    gives: "confirms the sign-in of a device, by a user who is signed in",
    holder: "user",
    lifetime: "deviceAuthorization.expiresIn",
    boundTo: "application",
    stored: tokenHash,
    endsWith: "grants",
  },
  pushedRequest: {
    gives: "begins the sign-in to another application",
    holder: "browser",
    lifetime: 60,
    boundTo: "application",
    stored: tokenHash,
  },
  authorizationPage: {
    gives: "answers the page on which a user signs in to another application",
    holder: "user",
    lifetime: 600,
    boundTo: "session",
    stored: tokenHash,
  },
} as const satisfies Readonly<Record<string, SecretDeclaration>>;

/** Every one-time or expiring secret that Latchkey hands out, apart from sessions, API keys and signed tokens. */
export const secrets: Readonly<Record<SecretTokenName | keyof typeof others, SecretDeclaration>> = {
  ...secretTokens,
  ...others,
};

/** Returns the tokens of users, or of addresses, that end with kinds of access. */
export const tokensEndingWith = (
  kinds: readonly AccessKind[],
  holderKind: "user" | "address",
): SecretTokenName[] =>
  (Object.keys(secretTokens) as SecretTokenName[]).filter((name) => {
    const { holder, endsWith }: SecretDeclaration = secretTokens[name];
    return holder === holderKind && endsWith !== undefined && kinds.includes(endsWith);
  });

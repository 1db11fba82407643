/** The state of the email of a new user. */
export type VerificationChoice = "none" | "verified" | "mail";

/** The rules of the installation. Each is undefined if the admin may not read settings. */
interface Installation {
  allowsPasswords?: boolean | undefined;
  requiresVerification?: boolean | undefined;
  /** Of users with the roles of this one. */
  requiresSecondFactor?: boolean | undefined;
}

const firstSteps = (choice: VerificationChoice, { requiresVerification }: Installation): string => {
  if (choice === "verified" || requiresVerification === false)
    return "The user can sign in immediately with this password.";
  if (requiresVerification === undefined)
    return "If a verified email is required, the user can sign in only after verifying it.";
  return choice === "mail"
    ? "The user can sign in after opening the link in the verification email."
    : "The user cannot sign in until their email is verified.";
};

/** Says when a new user can sign in. It must not promise more than the installation allows. */
export const signInOutlook = (choice: VerificationChoice, rules: Installation): string => {
  if (rules.allowsPasswords === false)
    return "Sign-in with a password is off, so the user cannot use this password.";
  const first = firstSteps(choice, rules);
  return rules.requiresSecondFactor
    ? `${first} The first sign-in asks for the setup of a second factor.`
    : first;
};

/** The permissions that concern the email of a new user. */
interface Permissions {
  mayVerify: boolean;
  maySendMail: boolean;
}

/** Returns the choices for the email of a new user. */
export const verificationChoices = ({ mayVerify, maySendMail }: Permissions) => [
  { value: "none" as const, label: "Leave unverified" },
  ...(maySendMail ? [{ value: "mail" as const, label: "Send verification email" }] : []),
  ...(mayVerify ? [{ value: "verified" as const, label: "Mark as verified" }] : []),
];

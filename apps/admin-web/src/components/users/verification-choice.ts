import { t } from "../../texts.ts";

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
  if (choice === "verified" || requiresVerification === false) return t("verification.atOnce");
  if (requiresVerification === undefined) return t("verification.ifRequired");
  return choice === "mail" ? t("verification.afterLink") : t("verification.notBefore");
};

/** Says when a new user can sign in. It must not promise more than the installation allows. */
export const signInOutlook = (choice: VerificationChoice, rules: Installation): string => {
  if (rules.allowsPasswords === false) return t("verification.passwordsOff");
  const first = firstSteps(choice, rules);
  return rules.requiresSecondFactor ? `${first} ${t("verification.secondFactor")}` : first;
};

/** The permissions that concern the email of a new user. */
interface Permissions {
  mayVerify: boolean;
  maySendMail: boolean;
}

/** Returns the choices for the email of a new user. */
export const verificationChoices = ({ mayVerify, maySendMail }: Permissions) => [
  { value: "none" as const, label: t("verification.leave") },
  ...(maySendMail ? [{ value: "mail" as const, label: t("verification.mail") }] : []),
  ...(mayVerify ? [{ value: "verified" as const, label: t("verification.verified") }] : []),
];

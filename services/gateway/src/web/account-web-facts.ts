import {
  type AccountWebFacts,
  type AdditionalField,
  type Look,
  mailLocale,
  type Options,
  sendsVerificationOnSignUp,
  type SignUpField,
} from "@latchkey/contracts";
import { providerMark } from "./provider-marks.ts";
import { captchaPaths } from "../captcha/captcha-paths.ts";

/** Returns the members of a look that the pages of the account web need beside its style sheet. */
export const brandingFacts = ({
  name,
  logo,
  layout,
  texts,
  links,
  supportAddress,
  termsURL,
  privacyURL,
}: Look): AccountWebFacts["branding"] => ({
  name,
  logo,
  layout,
  texts,
  links,
  supportAddress,
  termsURL,
  privacyURL,
});

/** Returns what a mail contains that is a code if an option says so. */
const mailedForm = ({ enabled }: Options["emailOTP"], prefersCode: boolean): "link" | "code" =>
  enabled && prefersCode ? "code" : "link";

const passwordOf = ({ emailAndPassword, emailOTP }: Options): AccountWebFacts["password"] => {
  const { enabled, disableSignUp, minPasswordLength, maxPasswordLength, resetPassword } =
    emailAndPassword;
  return enabled
    ? {
        lengthMin: minPasswordLength,
        lengthMax: maxPasswordLength,
        takesSignUp: !disableSignUp,
        reset: resetPassword.enabled
          ? mailedForm(emailOTP, emailOTP.overrideDefaultPasswordReset)
          : undefined,
      }
    : undefined;
};

/** Lists of values have no form control. */
const typeOf = ({ type }: AdditionalField): SignUpField["type"] | undefined =>
  type === "string[]" || type === "number[]" ? undefined : type;

const fieldsOf = (fields: Options["user"]["additionalFields"]): SignUpField[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const type = typeOf(field);
    if (!field.input || type === undefined) return [];
    const { label, returned } = field;
    const required = field.required && field.defaultValue === undefined;
    return [{ name, type, required, returned, label }];
  });

const verificationOf = (options: Options): AccountWebFacts["verification"] => {
  const { emailAndPassword, emailOTP, emailVerification } = options;
  const { enabled } = emailVerification;
  const form = mailedForm(emailOTP, emailOTP.overrideDefaultEmailVerification);
  const isMailed =
    enabled && (sendsVerificationOnSignUp(options) || emailAndPassword.requireEmailVerification);
  const atSignUp = new Set<"link" | "code">(isMailed ? [form] : []);
  if (emailOTP.enabled && emailOTP.sendVerificationOnSignUp) atSignUp.add("code");
  return { atSignUp: [...atSignUp], onRequest: enabled ? form : undefined };
};

/** A code takes the place of the link, because it needs no other browser. */
const emailChangeOf = ({ emailOTP, user }: Options): AccountWebFacts["changes"]["email"] => {
  if (!emailOTP.enabled || !emailOTP.changeEmail.enabled)
    return user.changeEmail.enabled ? "link" : undefined;
  return emailOTP.changeEmail.verifyCurrentEmail ? "codes" : "code";
};

/** Returns the additional fields that every new user needs. The language of mails is one of those that exist. */
export const requiredFields = (
  fields: Options["user"]["additionalFields"],
): Pick<AdditionalField & { name: string }, "name" | "type">[] =>
  Object.entries(fields).flatMap(([name, { type, required, input, defaultValue }]) => {
    if (!required || !input || defaultValue !== undefined) return [];
    return [{ name, type: name === "locale" && type === "string" ? mailLocale.options : type }];
  });

const providersOf = ({ socialProviders }: Options): AccountWebFacts["providers"] =>
  Object.entries(socialProviders).flatMap(([id, provider]) =>
    provider?.enabled
      ? [{ id, ...("name" in provider && { name: provider.name }), mark: providerMark(id) }]
      : [],
  );

const captchaOf = ({ captcha }: Options): AccountWebFacts["captcha"] => {
  const { enabled, provider, siteKey } = captcha;
  return enabled && siteKey !== undefined
    ? { provider, siteKey, paths: captchaPaths(captcha) }
    : undefined;
};

/** Returns the options that the pages of the account web need, whatever their look. They contain no secret, because anyone can read them. */
export const accountWebFacts = (options: Options): Omit<AccountWebFacts, "branding"> => ({
  applicationURL: [options.appURL].flat()[0],
  password: passwordOf(options),
  identifierFirst: options.account.identifierFirst,
  mailSignUp: {
    magicLink: !options.magicLink.disableSignUp,
    emailOTP: !options.emailOTP.disableSignUp,
  },
  verification: verificationOf(options),
  codeLengths: {
    email: options.emailOTP.otpLength,
    phone: options.phoneNumber.otpLength,
    app: options.twoFactor.totpOptions.digits,
    mail: options.twoFactor.otpOptions.digits,
  },
  providers: providersOf(options),
  fields: fieldsOf(options.user.additionalFields),
  organizationFields: {
    organization: fieldsOf(options.organization.schema.organization.additionalFields),
    invitation: fieldsOf(options.organization.schema.invitation.additionalFields),
    team: fieldsOf(options.organization.schema.team.additionalFields),
  },
  trustsBrowsers: options.twoFactor.trustDeviceMaxAge > 0,
  lastLoginCookie: options.lastLoginMethod.enabled ? options.lastLoginMethod.cookieName : undefined,
  keySessions: options.apiKey.enableSessionForAPIKeys,
  changes: {
    email: emailChangeOf(options),
    deletion: options.user.deleteUser.enabled,
  },
  organizationRoles: Object.keys(options.organization.roles),
  rolePermissions: options.organization.dynamicAccessControl.enabled
    ? options.organization.roles
    : undefined,
  ownerRole: options.organization.creatorRole,
  organizationKeys: options.organization.enabled && options.apiKey.organizationKeys.enabled,
  pictureOrigins: options.account.pictureOrigins,
  captcha: captchaOf(options),
});

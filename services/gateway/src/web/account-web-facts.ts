import {
  type AccountWebFacts,
  type AdditionalField,
  brandColors,
  type LookFacts,
  mailLocale,
  type Options,
  sendsVerificationOnSignUp,
  type SignUpField,
} from "@latchkey/contracts";
import { providerMark } from "./provider-marks.ts";
import { captchaPaths } from "../captcha/captcha-paths.ts";

const brandingOf = ({ appName, branding }: Options): AccountWebFacts["branding"] => {
  const { name, logo, supportAddress, termsURL, privacyURL } = branding;
  return { name: name ?? appName, logo, supportAddress, termsURL, privacyURL };
};

const passwordOf = ({ emailAndPassword }: Options): AccountWebFacts["password"] => {
  const { enabled, disableSignUp, minPasswordLength, maxPasswordLength, resetPassword } =
    emailAndPassword;
  return enabled
    ? {
        lengthMin: minPasswordLength,
        lengthMax: maxPasswordLength,
        takesSignUp: !disableSignUp,
        takesReset: resetPassword.enabled,
      }
    : undefined;
};

/** Lists of values have no form control. */
const typeOf = ({ type }: AdditionalField): SignUpField["type"] | undefined =>
  type === "string[]" || type === "number[]" ? undefined : type;

const fieldsOf = ({ user }: Options): SignUpField[] =>
  Object.entries(user.additionalFields).flatMap(([name, field]) => {
    const type = typeOf(field);
    if (!field.input || type === undefined) return [];
    const { label, returned } = field;
    const required = field.required && field.defaultValue === undefined;
    return [{ name, type, required, returned, label }];
  });

const verificationOf = (options: Options): AccountWebFacts["verification"] => {
  const { emailAndPassword, emailOTP, emailVerification } = options;
  const { enabled } = emailVerification;
  const form = emailOTP.enabled && emailOTP.overrideDefaultEmailVerification ? "code" : "link";
  const isMailed =
    enabled && (sendsVerificationOnSignUp(options) || emailAndPassword.requireEmailVerification);
  const atSignUp = new Set<"link" | "code">(isMailed ? [form] : []);
  if (emailOTP.enabled && emailOTP.sendVerificationOnSignUp) atSignUp.add("code");
  return { atSignUp: [...atSignUp], onRequest: enabled ? form : undefined };
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

/** Returns the look of both webs. */
export const lookFacts = ({
  branding: { color, darkColor, font },
}: Pick<Options, "branding">): LookFacts => ({ colors: brandColors(color, darkColor), font });

/** Returns the options that the pages of the account web need. They contain no secret, because anyone can read them. */
export const accountWebFacts = (options: Options): AccountWebFacts => ({
  branding: brandingOf(options),
  applicationURL: [options.appURL].flat()[0],
  password: passwordOf(options),
  mailSignUp: {
    magicLink: !options.magicLink.disableSignUp,
    emailOTP: !options.emailOTP.disableSignUp,
  },
  verification: verificationOf(options),
  codeLengths: {
    email: options.emailOTP.otpLength,
    app: options.twoFactor.totpOptions.digits,
    mail: options.twoFactor.otpOptions.digits,
  },
  providers: providersOf(options),
  fields: fieldsOf(options),
  trustsBrowsers: options.twoFactor.trustDeviceMaxAge > 0,
  keySessions: options.apiKey.enableSessionForAPIKeys,
  changes: {
    email: options.user.changeEmail.enabled,
    deletion: options.user.deleteUser.enabled,
  },
  organizationRoles: Object.keys(options.organization.roles),
  ownerRole: options.organization.creatorRole,
  organizationKeys: options.organization.enabled && options.apiKey.organizationKeys.enabled,
  pictureOrigins: options.account.pictureOrigins,
  captcha: captchaOf(options),
});

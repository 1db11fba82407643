import type { Settings } from "@latchkey/service-kit/config";

/** Leaves out `inertLinks`, which concerns only identity. */
const readMail = ({ inertLinks: _, ...mail }: Settings["options"]["mail"]) => mail;

/** Returns the settings of the mailer. */
export const readMailerConfig = ({ options }: Pick<Settings, "options">) => ({
  appName: options.appName,
  branding: options.branding,
  mail: readMail(options.mail),
  admin: options.admin,
});

export type MailerConfig = ReturnType<typeof readMailerConfig>;

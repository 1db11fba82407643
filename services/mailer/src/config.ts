import type { Settings } from "@latchkey/service-kit";

/** Leaves out `inertLinks`, which concerns only identity. */
const readMail = ({ inertLinks: _, ...mail }: Settings["options"]["mail"]) => mail;

/** Returns the settings of the mailer. */
export const readMailerConfig = ({ options, network }: Settings) => ({
  appName: options.appName,
  mail: readMail(options.mail),
  admin: options.admin,
  additionalFields: {
    user: options.user.additionalFields,
    session: options.session.additionalFields,
  },
  freshAge: options.session.freshAge,
  serviceTokens: options.serviceTokens,
  hooks: options.hooks,
  port: network.ports.mailer,
});

export type MailerConfig = ReturnType<typeof readMailerConfig>;

import type { Settings } from "@latchkey/service-kit";

/** What the mailer reads of the settings. */
export const readMailerConfig = ({ options, network }: Settings) => ({
  appName: options.appName,
  mail: options.mail,
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

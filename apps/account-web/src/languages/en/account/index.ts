import { accountErrors } from "./account-errors.ts";
import { account } from "./account.ts";
import { apiKeys } from "./api-keys.ts";
import { data } from "./data.ts";
import { organizations } from "./organizations.ts";
import { profile } from "./profile.ts";
import { security } from "./security.ts";
import { sessions } from "./sessions.ts";
import { webhooks } from "./webhooks.ts";

/** The messages of the screens for signed-in users, by namespace. */
export const messages = {
  account,
  accountErrors,
  apiKeys,
  data,
  organizations,
  profile,
  security,
  sessions,
  webhooks,
};

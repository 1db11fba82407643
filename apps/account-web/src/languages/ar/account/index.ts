import type { Translations } from "../../messages.ts";
import { accountErrors } from "./account-errors.ts";
import { account } from "./account.ts";
import { apiKeys } from "./api-keys.ts";
import { data } from "./data.ts";
import { organizations } from "./organizations.ts";
import { profile } from "./profile.ts";
import { security } from "./security.ts";
import { sessions } from "./sessions.ts";
import { webhooks } from "./webhooks.ts";

export const messages: Translations<"account"> = {
  accountErrors,
  account,
  apiKeys,
  data,
  organizations,
  profile,
  security,
  sessions,
  webhooks,
};

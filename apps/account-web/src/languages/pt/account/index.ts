import type { Translations } from "../../messages.ts";
import { account } from "./account.ts";
import { profile } from "./profile.ts";

export const messages: Translations<"account"> = { account, profile };

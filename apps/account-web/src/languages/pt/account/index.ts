import type { Translations } from "../../messages.ts";
import { home } from "./home.ts";

export const messages: Translations<"account"> = { home };

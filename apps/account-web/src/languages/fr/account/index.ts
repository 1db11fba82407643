import type { Translation } from "../../messages.ts";

export const messages: Translation<"account"> = {};

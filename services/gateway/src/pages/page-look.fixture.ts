import { brandingOptions, lookOf } from "@latchkey/contracts";
import { type PageLook, pageLook } from "./page-look.ts";

/** Returns the look of an application with this name and the default branding. */
export const pageLookOf = (appName: string, branding: { logo?: string } = {}): PageLook =>
  pageLook(lookOf(brandingOptions.parse(branding), { appName, addressOf: (source) => source }));

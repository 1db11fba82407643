import type { Permission } from "../access/access.ts";

/** Returns the screens that need no permission or at least one that the admin has. */
export const visibleScreens = <Way extends { readonly needs: readonly Permission[] }>(
  ways: readonly Way[],
  may: (permission: Permission) => boolean,
): Way[] => ways.filter(({ needs }) => needs.length === 0 || needs.some(may));

import type { Permission } from "../access/access.ts";

/** Of some ways those that somebody may go: who may one of the things there may go there. */
export const visibleScreens = <Way extends { readonly needs: readonly Permission[] }>(
  ways: readonly Way[],
  may: (permission: Permission) => boolean,
): Way[] => ways.filter(({ needs }) => needs.length === 0 || needs.some(may));

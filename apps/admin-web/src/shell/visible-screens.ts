import type { Operation } from "@latchkey/contracts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import type { Permission } from "../access/access.ts";

interface Way {
  readonly needs: readonly Permission[];
  readonly shows?: Operation;
}

/** Returns the screens that this installation has, and that need no permission or at least one that the admin has. */
export const visibleScreens = <One extends Way>(
  ways: readonly One[],
  may: (permission: Permission) => boolean,
): One[] =>
  ways.filter(
    ({ needs, shows }) =>
      (needs.length === 0 || needs.some(may)) && (shows === undefined || isOffered(shows)),
  );

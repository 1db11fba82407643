import type { Operation } from "@latchkey/contracts";

/** The features that are on. Undefined if unknown; then all count as on. */
type Features = ReadonlySet<string> | undefined;

/** Whether an installation offers an operation. Operations of a feature that is off do not exist. */
export const isOfferedBy = (features: Features, { feature }: Pick<Operation, "feature">): boolean =>
  feature === undefined || features === undefined || features.has(feature);

/** Returns the permissions, such as `user:ban`, that only operations of switched-off features require. */
export const idlePermissions = (
  features: Features,
  operations: readonly Operation[],
): ReadonlySet<string> => {
  const permissionsOf = (isThere: boolean) =>
    operations
      .filter((declared) => isOfferedBy(features, declared) === isThere)
      .flatMap(({ permission }) =>
        permission ? [`${permission.resource}:${permission.action}`] : [],
      );
  const ofUse = new Set(permissionsOf(true));
  return new Set(permissionsOf(false).filter((permission) => !ofUse.has(permission)));
};

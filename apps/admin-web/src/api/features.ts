import type { Operation } from "@latchkey/contracts";

/** Those that are on; undefined where that is not known, and all are taken to be. */
type Features = ReadonlySet<string> | undefined;

/** Whether an installation has an operation: of a feature that is off there is none. */
export const isOfferedBy = (features: Features, { feature }: Pick<Operation, "feature">): boolean =>
  feature === undefined || features === undefined || features.has(feature);

/** The permissions, as `user:ban`, that only operations ask for which an installation does not have. */
export const idlePermissions = (
  features: Features,
  operations: readonly Operation[],
): ReadonlySet<string> => {
  const asked = (isThere: boolean) =>
    operations
      .filter((declared) => isOfferedBy(features, declared) === isThere)
      .flatMap(({ permission }) =>
        permission ? [`${permission.resource}:${permission.action}`] : [],
      );
  const ofUse = new Set(asked(true));
  return new Set(asked(false).filter((permission) => !ofUse.has(permission)));
};

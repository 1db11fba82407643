import { CheckField } from "./fields.tsx";

/** Resources to actions. */
export type Permission = Record<string, string[]>;

interface PermissionFieldsProps {
  /** The resources, each with every action that can be chosen. */
  offered: readonly (readonly [resource: string, actions: readonly string[]])[];
  permission: Permission;
  onChange: (permission: Permission) => void;
  /** Returns the label of a resource. By default its name. */
  resourceLabel?: (resource: string) => string;
  /** Returns the label of an action. By default its name. */
  actionLabel?: (action: string) => string;
  /** Whether the user may give and take an action. By default any. */
  canGive?: (resource: string, action: string) => boolean;
}

/** A check box for each action on each resource. */
export const PermissionFields = ({
  offered,
  permission,
  onChange,
  resourceLabel,
  actionLabel,
  canGive,
}: PermissionFieldsProps) => {
  const toggle = (resource: string, action: string, isOn: boolean) => {
    const others = (permission[resource] ?? []).filter((one) => one !== action);
    const { [resource]: _, ...rest } = permission;
    const actions = isOn ? [...others, action] : others;
    onChange(actions.length > 0 ? { ...rest, [resource]: actions } : rest);
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {offered
        .filter(([, actions]) => actions.length > 0)
        .map(([resource, actions]) => (
          <fieldset key={resource} className="flex flex-col gap-1">
            <legend className="mb-1 font-medium">
              <bdi>{resourceLabel?.(resource) ?? resource}</bdi>
            </legend>
            {actions.map((action) => (
              <CheckField
                key={action}
                label={<bdi>{actionLabel?.(action) ?? action}</bdi>}
                checked={permission[resource]?.includes(action) === true}
                disabled={canGive?.(resource, action) === false}
                onChange={({ target }) => toggle(resource, action, target.checked)}
              />
            ))}
          </fieldset>
        ))}
    </div>
  );
};

import { organizationRolePattern } from "@latchkey/contracts/role-name.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { type Permission, PermissionFields } from "@latchkey/ui/components/permission-fields.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useState } from "react";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import {
  type MadeRole,
  useHolds,
  useMadeRoles,
} from "../../components/organizations/use-made-roles.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import type { PartProps } from "./organization.ts";

const { createRole, deleteRole, updateRole } = operations.organization;

/** The resources of the options, with every action that one of their roles allows. */
const offeredPermissions: readonly (readonly [resource: string, actions: readonly string[]])[] = [
  ...new Set(Object.values(facts.rolePermissions ?? {}).flatMap(Object.keys)),
].map((resource) => {
  const all = Object.values(facts.rolePermissions ?? {}).flatMap((role) => role[resource] ?? []);
  return [resource, [...new Set(all)]];
});

const knownResources = [
  "organization",
  "member",
  "invitation",
  "team",
  "apiKey",
  "webhook",
  "ac",
] as const;
const knownActions = ["create", "read", "update", "delete", "cancel"] as const;

/** Returns functions that name resources and actions. Those that the application added keep their names. */
const usePermissionNames = () => {
  const t = useTranslation("organizations");
  return {
    resource: (name: string): string => {
      const resource = knownResources.find((one) => one === name);
      return resource ? t(`ownRoles.resources.${resource}`) : name;
    },
    action: (name: string): string => {
      const action = knownActions.find((one) => one === name);
      return action ? t(`ownRoles.actions.${action}`) : name;
    },
  };
};

interface RoleFormProps {
  organizationId: string;
  /** The role that is changed. Undefined for a new one. */
  role?: MadeRole;
  onClose: () => void;
}

const EditRole = ({ organizationId, role, onClose }: RoleFormProps) => {
  const t = useTranslation("organizations");
  const create = useOperation(createRole, { done: t("ownRoles.created"), onDone: onClose });
  const update = useOperation(updateRole, { done: t("ownRoles.changed"), onDone: onClose });
  const form = useForm<{ name: string; permission: Permission }>({
    defaultValues: { name: role?.role ?? "", permission: role?.permission ?? {} },
    change: role ? update : create,
    fieldOf: { ROLE_NAME_IS_ALREADY_TAKEN: "name" },
    onSubmit: ({ name, permission }) => {
      if (!role) return create.mutate({ body: { role: name.trim(), permission, organizationId } });
      const data = { permission, ...(name.trim() !== role.role && { roleName: name.trim() }) };
      return update.mutate({ body: { roleId: role.id, data, organizationId } });
    },
  });
  const { value, onChange } = form.choice("permission");
  const names = usePermissionNames();
  // A user cannot give permissions of others.
  const holds = useHolds(organizationId);
  return (
    <FormDialog
      form={form}
      title={role ? t("ownRoles.editOne", { name: role.role }) : t("ownRoles.create")}
      action={role ? t("save") : t("ownRoles.create")}
      isWide
      onClose={onClose}
    >
      <TextField
        {...form.field("name", {
          validate: (name) => organizationRolePattern.test(name.trim()) || t("ownRoles.nameFault"),
        })}
        label={t("ownRoles.name")}
        hint={t("ownRoles.nameHint")}
        autoComplete="off"
        autoCapitalize="none"
        dir="ltr"
      />
      <PermissionFields
        offered={offeredPermissions}
        permission={value}
        onChange={onChange}
        resourceLabel={names.resource}
        actionLabel={names.action}
        canGive={holds}
      />
    </FormDialog>
  );
};

const DeleteRole = ({ organizationId, role, onClose }: Required<RoleFormProps>) => {
  const t = useTranslation("organizations");
  const remove = useOperation(deleteRole, { done: t("ownRoles.deleted"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("ownRoles.deleteTitle", { name: role.role })}
      description={t("ownRoles.deleteText")}
      action={t("ownRoles.delete")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { roleId: role.id, organizationId } })}
      onClose={onClose}
    />
  );
};

interface OpenDialog {
  Dialog: typeof DeleteRole;
  role: MadeRole;
}

interface RoleRowProps {
  role: MadeRole;
  may: ReturnType<typeof usePermissions<"ac:create" | "ac:delete" | "ac:update">>;
  onOpen: (open: OpenDialog) => void;
}

/** A role with its permissions, and the actions on it. */
const RoleRow = ({ role, may, onOpen }: RoleRowProps) => {
  const t = useTranslation("organizations");
  const names = usePermissionNames();
  const permissions = Object.entries(role.permission)
    .filter(([, actions]) => actions.length > 0)
    .map(
      ([resource, actions]) =>
        `${names.resource(resource)}: ${actions.map(names.action).join(", ")}`,
    );
  return (
    <Row
      title={<bdi>{role.role}</bdi>}
      details={permissions.join(" · ") || t("ownRoles.nothing")}
      actions={
        (may("ac:update") || may("ac:delete")) && (
          <RowMenu name={role.role}>
            {may("ac:update") && (
              <MenuItem onSelect={() => onOpen({ Dialog: EditRole, role })}>
                {t("ownRoles.edit")}
              </MenuItem>
            )}
            {may("ac:delete") && (
              <MenuItem isDangerous onSelect={() => onOpen({ Dialog: DeleteRole, role })}>
                {t("ownRoles.delete")}
              </MenuItem>
            )}
          </RowMenu>
        )
      }
    />
  );
};

/** The roles that the organization made itself. */
export const Roles = ({ organization: { id } }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(id, ["ac:create", "ac:update", "ac:delete"]);
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<OpenDialog>();
  return (
    <Panel
      title={t("tabs.roles")}
      text={t("ownRoles.text")}
      actions={
        may("ac:create") && (
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            {t("ownRoles.create")}
          </Button>
        )
      }
    >
      <Reading of={useMadeRoles(id)}>
        {(roles) =>
          roles.length === 0 ? (
            <EmptyState title={t("ownRoles.none")} />
          ) : (
            <Rows label={t("tabs.roles")}>
              {roles.map((role) => (
                <RoleRow key={role.id} role={role} may={may} onOpen={setOpen} />
              ))}
            </Rows>
          )
        }
      </Reading>
      {isCreating && <EditRole organizationId={id} onClose={() => setIsCreating(false)} />}
      {open && (
        <open.Dialog organizationId={id} role={open.role} onClose={() => setOpen(undefined)} />
      )}
    </Panel>
  );
};

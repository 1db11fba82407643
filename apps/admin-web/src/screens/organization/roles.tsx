import { zodResolver } from "@hookform/resolvers/zod";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { organizationRolePattern } from "@latchkey/contracts/role-name.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { IconButton } from "@latchkey/ui/components/icon-button.tsx";
import { PermissionFields } from "@latchkey/ui/components/permission-fields.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useAccess } from "../../access/use-access.ts";
import { Confirm } from "../../components/confirm.tsx";
import { useOption } from "../../components/use-option.ts";
import { t } from "../../texts.ts";
import type { Organization } from "./use-organization.ts";

const { adminCreateOrganizationRole, adminDeleteOrganizationRole, adminUpdateOrganizationRole } =
  operations.organization;

type Role = NonNullable<Organization["roles"]>[number];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Returns the resources of the configured roles, with every action that one of them allows. Undefined if this admin may not read them. */
const useOfferedPermissions = (): [resource: string, actions: string[]][] | undefined => {
  const option = useOption("organization.roles");
  if (!isRecord(option)) return undefined;
  const offered = new Map<string, Set<string>>();
  for (const role of Object.values(option).filter(isRecord))
    for (const [resource, actions] of Object.entries(role)) {
      const allActions = offered.get(resource) ?? new Set();
      for (const action of [actions].flat()) if (typeof action === "string") allActions.add(action);
      offered.set(resource, allActions);
    }
  return [...offered].map(([resource, actions]) => [resource, [...actions]]);
};

const roleForm = z.object({
  name: z.string().trim().regex(organizationRolePattern, t("organization.roles.nameFault")),
  permission: z.record(z.string(), z.array(z.string())),
});

interface RoleDialogProps {
  organizationId: string;
  onClose: () => void;
}

interface EditRoleProps extends RoleDialogProps {
  offered: NonNullable<ReturnType<typeof useOfferedPermissions>>;
  /** The role that is changed. Undefined for a new one. */
  role?: Role | undefined;
}

const EditRoleForm = ({ organizationId, offered, role, onClose }: EditRoleProps) => {
  const done = ({ role: name }: Role) =>
    t(role ? "organization.roles.changed" : "common.createdOne", { name });
  const shared = { showsError: true, done, onDone: onClose };
  const create = useOperation(adminCreateOrganizationRole, shared);
  const update = useOperation(adminUpdateOrganizationRole, shared);
  const form = useForm<z.output<typeof roleForm>>({
    resolver: zodResolver(roleForm),
    defaultValues: { name: role?.role ?? "", permission: role?.permission ?? {} },
    change: role ? update : create,
    fieldOf: { ROLE_NAME_IS_ALREADY_TAKEN: "name", role: "name", roleName: "name" },
    onSubmit: ({ name, permission }) => {
      const params = { id: organizationId };
      if (!role) return create.mutate({ params, body: { role: name, permission } });
      const data = { permission, ...(name !== role.role && { roleName: name }) };
      return update.mutate({ params, body: { roleId: role.id, data } });
    },
  });
  const { value, onChange } = form.choice("permission");
  return (
    <DialogForm
      form={form}
      action={role ? t("common.save") : t("organization.roles.create")}
      onClose={onClose}
    >
      <TextField
        {...form.field("name")}
        label={t("common.name")}
        hint={t("organization.roles.nameHint")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <PermissionFields offered={offered} permission={value} onChange={onChange} />
    </DialogForm>
  );
};

/** Makes a role of an organization, or changes one. */
const EditRole = (props: EditRoleProps) => (
  <Dialog
    title={
      props.role
        ? t("organization.roles.edit", { name: props.role.role })
        : t("organization.roles.create")
    }
    description={t("organization.roles.text")}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <EditRoleForm {...props} />
  </Dialog>
);

const DeleteRole = ({ organizationId, role, onClose }: RoleDialogProps & { role: Role }) => (
  <Confirm
    operation={adminDeleteOrganizationRole}
    input={{ params: { id: organizationId }, body: { roleId: role.id } }}
    title={t("common.deleteQuestion", { name: role.role })}
    action={t("organization.roles.delete")}
    done={t("common.deletedOne", { name: role.role })}
    onClose={onClose}
  >
    {t("organization.roles.deleteText")}
  </Confirm>
);

const columns: readonly TableColumn[] = [
  t("common.role"),
  { name: t("common.permissions"), priority: "high" },
  { name: t("common.created"), priority: "medium" },
  { name: t("common.updated"), priority: "low" },
  { name: t("common.id"), priority: "low" },
];

interface OpenDialog {
  name: "edit" | "delete";
  role: Role;
}

interface RoleTableProps {
  roles: readonly Role[];
  onOpen: ((open: OpenDialog) => void) | undefined;
}

const RoleTable = ({ roles, onOpen }: RoleTableProps) => (
  <div className="rounded-lg border bg-surface">
    <Table
      label={t("organization.roles.list")}
      columns={onOpen ? [...columns, t("common.actions")] : columns}
    >
      {roles.map((role) => (
        <TableRow
          key={role.id}
          cells={{
            name: <bdi className="font-medium">{role.role}</bdi>,
            permissions:
              Object.entries(role.permission)
                .flatMap(([resource, actions]) => actions.map((one) => `${resource}:${one}`))
                .join(", ") || t("organization.roles.noPermissions"),
            created: <RelativeTime at={role.createdAt} isStacked />,
            changed: <RelativeTime at={role.updatedAt} isStacked />,
            id: <CopyId id={role.id} of={role.role} hidesId />,
            ...(onOpen && {
              actions: (
                <span className="flex">
                  <IconButton
                    label={t("organization.roles.edit", { name: role.role })}
                    onClick={() => onOpen({ name: "edit", role })}
                  >
                    <Pencil />
                  </IconButton>
                  <IconButton
                    label={t("organization.roles.deleteOne", { name: role.role })}
                    onClick={() => onOpen({ name: "delete", role })}
                  >
                    <Trash2 />
                  </IconButton>
                </span>
              ),
            }),
          }}
        />
      ))}
    </Table>
  </div>
);

interface RolesProps {
  organizationId: string;
  roles: readonly Role[];
}

/** Lists the roles that an organization made itself, and creates, changes and deletes them. */
export const Roles = ({ organizationId, roles }: RolesProps) => {
  const { may } = useAccess();
  const offered = useOfferedPermissions();
  const [isCreating, setIsCreating] = useState(false);
  const [open, setOpen] = useState<OpenDialog>();
  const mayChange = may("organization:update") && offered !== undefined;
  const onClose = () => {
    setIsCreating(false);
    setOpen(undefined);
  };
  const shared = { organizationId, onClose };
  return (
    <>
      {mayChange && (
        <div className="mb-3 flex justify-end">
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            <Plus />
            {t("organization.roles.create")}
          </Button>
        </div>
      )}
      {roles.length === 0 ? (
        <EmptyState title={t("organization.roles.none")}>
          {t("organization.roles.noneText")}
        </EmptyState>
      ) : (
        <RoleTable roles={roles} onOpen={mayChange ? setOpen : undefined} />
      )}
      {offered && (isCreating || open?.name === "edit") && (
        <EditRole {...shared} offered={offered} role={open?.role} />
      )}
      {open?.name === "delete" && <DeleteRole {...shared} role={open.role} />}
    </>
  );
};

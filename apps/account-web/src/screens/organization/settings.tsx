import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationKey, operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { isTyped } from "@latchkey/ui/components/is-typed.ts";
import { useNavigate } from "@tanstack/react-router";
import { EditPicture } from "../../components/account/edit-picture.tsx";
import { isUploadedPicture } from "../../components/account/may-load-picture.ts";
import { Moment } from "../../components/account/moment.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, Rows } from "../../components/account/rows.tsx";
import { Panel } from "../../components/account/panel.tsx";
import {
  organizationBody,
  OrganizationFields,
  type OrganizationValues,
} from "../../components/organizations/organization-fields.tsx";
import { Picture, picturePlaces } from "../../components/account/picture.tsx";
import { useTranslation } from "../../languages.ts";
import type { Member, PartProps } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { SelectField, TextField } from "@latchkey/ui/components/fields.tsx";

const { deleteOrganization, leaveOrganization, updateOrganization, uploadOrganizationPicture } =
  operations.organization;

interface EndDialogProps extends PartProps {
  onClose: () => void;
}

/** Ends the membership of the user. */
const LeaveOrganization = ({ organization: { id, name }, onClose }: EndDialogProps) => {
  const t = useTranslation("organizations");
  const navigate = useNavigate();
  const leave = useOperation(leaveOrganization, {
    done: t("settings.left", { name }),
    onDone: () => navigate({ to: "/organizations" }),
  });
  return (
    <ConfirmDialog
      title={t("settings.leaveTitle", { name })}
      description={t("settings.leaveText")}
      action={t("settings.leave")}
      change={leave}
      onConfirm={() => leave.mutate({ body: { organizationId: id } })}
      onClose={onClose}
    />
  );
};

/** Deletes an organization once its name has been typed. */
const DeleteOrganization = ({ organization: { id, name }, onClose }: EndDialogProps) => {
  const t = useTranslation("organizations");
  const navigate = useNavigate();
  const remove = useOperation(deleteOrganization, {
    done: t("settings.deleted", { name }),
    onDone: () => navigate({ to: "/organizations" }),
  });
  const form = useForm({
    defaultValues: { typed: "" },
    change: remove,
    onSubmit: () => remove.mutate({ body: { organizationId: id } }),
  });
  return (
    <FormDialog
      form={form}
      title={t("settings.deleteTitle", { name })}
      description={t("settings.deleteText")}
      action={t("settings.delete")}
      isDangerous
      onClose={onClose}
    >
      <TextField
        {...form.field("typed", {
          validate: (text) => isTyped(text, name) || t("settings.nameDiffers"),
        })}
        label={t("settings.typeName", { name })}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
    </FormDialog>
  );
};

const Details = ({ organization: { id, name, slug, logo } }: PartProps) => {
  const t = useTranslation("organizations");
  const save = useOperation(updateOrganization, { done: t("saved") });
  const form = useForm<OrganizationValues>({
    values: { name, slug, logo: logo && !isUploadedPicture(logo, picturePlaces) ? logo : "" },
    resetOptions: { keepDirtyValues: true },
    change: save,
    onSubmit: (values) =>
      save.mutate({ body: { data: organizationBody(values), organizationId: id } }),
  });
  return (
    <Panel title={t("settings.title")}>
      <Form
        form={form}
        foot={
          <div>
            <Button
              type="submit"
              kind="primary"
              disabled={!form.formState.isDirty}
              isBusy={save.isPending}
            >
              {t("save")}
            </Button>
          </div>
        }
      >
        <EditPicture
          name={name}
          address={logo}
          fit="contain"
          upload={(picture) =>
            call(uploadOrganizationPicture, { body: { picture, organizationId: id } })
          }
          remove={() =>
            call(updateOrganization, { body: { data: { logo: null }, organizationId: id } })
          }
        />
        <OrganizationFields form={form} />
      </Form>
    </Panel>
  );
};

const { getTwoFactorPolicy, listMembersWithoutTwoFactor, setTwoFactorPolicy } =
  operations.organization;

/** The days until a second factor is required. */
const graceDays = [0, 7, 30];

const RequireSecondFactor = ({ organization: { id }, onClose }: EndDialogProps) => {
  const t = useTranslation("organizations");
  const require = useOperation(setTwoFactorPolicy, {
    done: t("policy.required"),
    onDone: onClose,
  });
  const form = useForm({
    defaultValues: { days: "7" },
    change: require,
    onSubmit: ({ days }) =>
      require.mutate({ body: { organizationId: id, required: true, graceDays: Number(days) } }),
  });
  return (
    <FormDialog
      form={form}
      title={t("policy.require")}
      description={t("policy.requireText")}
      action={t("policy.require")}
      onClose={onClose}
    >
      <SelectField
        {...form.field("days")}
        label={t("policy.begins")}
        choices={graceDays.map((count) => ({
          value: String(count),
          label: count === 0 ? t("policy.now") : t("apiKeys:create.days", { count }),
        }))}
      />
    </FormDialog>
  );
};

const StopRequiring = ({ organization: { id }, onClose }: EndDialogProps) => {
  const t = useTranslation("organizations");
  const stop = useOperation(setTwoFactorPolicy, { done: t("policy.stopped"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("policy.stop")}
      description={t("policy.stopText")}
      action={t("policy.stop")}
      change={stop}
      onConfirm={() => stop.mutate({ body: { organizationId: id, required: false } })}
      onClose={onClose}
    />
  );
};

/** The members who would have no access, or have none. A page of the server may be empty although others follow. */
const MembersWithoutFactor = ({ organizationId }: { organizationId: string }) => {
  const t = useTranslation("organizations");
  const pages = useInfiniteQuery({
    queryKey: operationKey(listMembersWithoutTwoFactor, { organizationId }),
    queryFn: ({ pageParam: cursor, signal }) =>
      call(
        listMembersWithoutTwoFactor,
        { query: { organizationId, limit: "100", ...(cursor && { cursor }) } },
        signal,
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const members = pages.data?.pages.flatMap((page) => page.members);
  return (
    <Reading<Member[]> of={{ ...pages, data: members }}>
      {(list) => (
        <>
          {list.length === 0 && !pages.hasNextPage && <p>{t("policy.none")}</p>}
          {list.length > 0 && (
            <>
              <h3 className="font-medium">{t("policy.lacking")}</h3>
              <Rows label={t("policy.lacking")}>
                {list.map(({ id, user: { name, email, image } }) => (
                  <Row
                    key={id}
                    mark={<Picture name={name} address={image} />}
                    title={<bdi>{name}</bdi>}
                    details={<bdi>{showEmail(email)}</bdi>}
                  />
                ))}
              </Rows>
            </>
          )}
          {pages.hasNextPage && (
            <div>
              <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
                {t("webhooks:deliveries.more")}
              </Button>
            </div>
          )}
        </>
      )}
    </Reading>
  );
};

/** Whether members need a second factor, and who lacks one. */
const SecondFactorPolicy = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const { id: organizationId } = organization;
  const policy = useQuery(operationQuery(getTwoFactorPolicy, { query: { organizationId } }));
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title={t("policy.title")}>
      <Reading of={policy}>
        {({ required, requiredFrom }) => {
          const Dialog = required ? StopRequiring : RequireSecondFactor;
          return (
            <>
              <p className="text-muted">
                {required ? t("policy.on") : t("policy.off")}{" "}
                {requiredFrom && <Moment at={requiredFrom} />}
              </p>
              <div>
                <Button onClick={() => setIsOpen(true)}>
                  {t(required ? "policy.stop" : "policy.require")}
                </Button>
              </div>
              {isOpen && <Dialog organization={organization} onClose={() => setIsOpen(false)} />}
            </>
          );
        }}
      </Reading>
      <MembersWithoutFactor organizationId={organizationId} />
    </Panel>
  );
};

/** The details of an organization, and the ways out of it. */
export const Settings = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(organization.id, ["organization:update", "organization:delete"]);
  const [open, setOpen] = useState<"leave" | "delete">();
  const onClose = () => setOpen(undefined);
  return (
    <div className="flex flex-col gap-6">
      {may("organization:update") && <Details organization={organization} />}
      {may("organization:update") && isOffered(getTwoFactorPolicy) && (
        <SecondFactorPolicy organization={organization} />
      )}
      <Panel title={t("settings.leave")} text={t("settings.leaveText")}>
        <div>
          <Button onClick={() => setOpen("leave")}>{t("settings.leave")}</Button>
        </div>
      </Panel>
      {may("organization:delete") && (
        <Panel title={t("settings.delete")} text={t("settings.deleteText")}>
          <div>
            <Button kind="danger" onClick={() => setOpen("delete")}>
              {t("settings.delete")}
            </Button>
          </div>
        </Panel>
      )}
      {open === "leave" && <LeaveOrganization organization={organization} onClose={onClose} />}
      {open === "delete" && <DeleteOrganization organization={organization} onClose={onClose} />}
    </div>
  );
};

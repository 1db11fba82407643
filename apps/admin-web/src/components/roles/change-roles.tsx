import { showEmail } from "@latchkey/contracts/email-address.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import type { Operation } from "@latchkey/contracts";
import type { ReactNode } from "react";
import type { CallInput } from "@latchkey/ui/api/call.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { splitRoles } from "./split-roles.ts";
import { t } from "../../texts.ts";

const someRoles = z.object({
  role: z.array(z.string()).min(1, t("roles.chooseOne")),
});

interface ChangeRolesProps<O extends Operation> {
  operation: O;
  inputOf: (roles: string[]) => CallInput<O>;
  /** The address of the user or member. */
  email: string;
  /** Their current roles, and all roles to choose from. */
  role: string;
  roleNames: readonly string[];
  description: ReactNode;
  onClose: () => void;
}

const ChangeRolesForm = <O extends Operation>(props: ChangeRolesProps<O>) => {
  const { operation, inputOf, email, role, roleNames, onClose } = props;
  const change = useOperation(operation, {
    showsError: true,
    done: (): string =>
      t("roles.changed", { email: showEmail(email), roles: form.getValues("role").join(", ") }),
    onDone: onClose,
  });
  const form = useForm<{ role: string[] }>({
    resolver: zodResolver(someRoles),
    defaultValues: { role: splitRoles(role) },
    change,
    onSubmit: (given) => change.mutate(inputOf(given.role)),
  });
  return (
    <DialogForm form={form} action={t("roles.change")} onClose={onClose}>
      <RoleChoice
        names={roleNames}
        chosen={form.watch("role")}
        // Says at once that the last role was taken out.
        onChange={(roles) => form.setValue("role", roles, { shouldValidate: true })}
        error={form.errorOf("role")}
      />
    </DialogForm>
  );
};

/** Changes someone's roles. At least one role must be chosen. */
export const ChangeRoles = <O extends Operation>(props: ChangeRolesProps<O>) => (
  <Dialog
    title={t("roles.change")}
    description={props.description}
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <ChangeRolesForm {...props} />
  </Dialog>
);

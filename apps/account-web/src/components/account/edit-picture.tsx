import { pictureBytesMax } from "@latchkey/contracts/picture-size.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { useReread } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { type ChangeEvent, useRef } from "react";
import { useTranslation } from "../../languages.ts";
import { Picture } from "./picture.tsx";
import { shrinkPicture, UnreadablePictureError } from "./shrink-picture.ts";

interface EditPictureProps {
  name: string;
  address: string | null;
  /** Whether the picture is cut to a square, or shown as a whole. */
  fit: "cover" | "contain";
  /** Stores a picture, given as base64. */
  upload: (picture: string) => Promise<unknown>;
  remove: () => Promise<unknown>;
}

/** Shows the picture of a user or an organization, and replaces or removes it. */
export const EditPicture = ({ name, address, fit, upload, remove }: EditPictureProps) => {
  const t = useTranslation("picture");
  const reread = useReread();
  const input = useRef<HTMLInputElement>(null);
  const uploadButton = useRef<HTMLButtonElement>(null);
  const save = useChange<unknown, File | undefined>({
    mutationFn: async (file) => {
      if (!file) return remove();
      return upload(await shrinkPicture(file, { bytesMax: pictureBytesMax, fit }));
    },
    onSuccess: async (_, file) => {
      toasts.add({ title: t(file ? "saved" : "removed"), type: "success" });
      // The button that removes a picture is about to go.
      uploadButton.current?.focus();
      await reread();
    },
  });
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    target.value = ""; // so that the same file can be chosen again
    if (file) save.mutate(file);
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-4">
        <Picture name={name} address={address} isLarge isSquare={fit === "contain"} />
        <div className="flex flex-wrap gap-2">
          <input ref={input} type="file" accept="image/*" hidden onChange={choose} />
          <Button ref={uploadButton} isBusy={save.isPending} onClick={() => input.current?.click()}>
            {t("upload")}
          </Button>
          {address && (
            <Button
              kind="quiet"
              disabled={save.isPending}
              focusableWhenDisabled
              onClick={() => save.mutate(undefined)}
            >
              {t("remove")}
            </Button>
          )}
        </div>
      </div>
      {save.error instanceof UnreadablePictureError ? (
        <Notice tone="danger" isUrgent>
          {t("unreadable")}
        </Notice>
      ) : (
        save.error && <FormError error={save.error} />
      )}
    </div>
  );
};

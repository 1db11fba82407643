import { Toast } from "@base-ui/react/toast";

/** Creates short notices from anywhere in the page. Types: `success`, `error`. */
export const toasts = Toast.createToastManager();

import { Toast } from "@base-ui/react/toast";

/** Short notices at the edge of the page, from anywhere. Types: `success`, `error`. */
export const toasts = Toast.createToastManager();

/** The pages of those who come with a link or without a password. One file of code, because few people see them. */
export { InvitationPage } from '../invitation/invitation-page.tsx';
export { ForgottenPage } from './forgotten-page.tsx';
export { NewPasswordPage } from './new-password-page.tsx';

// The pages of resellers, besides their start page. Browsers load them as one file.
export { ManyPage } from './features/many/many-page.tsx';
export { TopUpPage } from './features/payments/top-up-page.tsx';
export { TopUpsPage } from './features/payments/top-ups-page.tsx';
export { StatementPage } from './features/statement/statement-page.tsx';
export { SubUserPage } from './features/sub-users/sub-user-page.tsx';
export { SubUsersPage } from './features/sub-users/sub-users-page.tsx';
export { TeamPage } from './features/team/team-page.tsx';
export { TokenPage } from './features/token/token-page.tsx';
export { WebhookPage } from './features/webhooks/webhook-page.tsx';
export { WebhooksPage } from './features/webhooks/webhooks-page.tsx';

export const invitationTexts = { title: 'Invitation' } as const;

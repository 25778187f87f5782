export const statement = `SELECT events.id
  FROM events`;

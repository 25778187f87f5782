import { readEnvironment } from './platform/config/environment.js';
import { migrate } from './platform/database/migrate.js';
import { openPostgres } from './platform/database/open-postgres.js';

/** `npm run migrate`: brings the database to the newest schema and says what ran. The service does so at its start. */
const postgres = await openPostgres(readEnvironment(process.env), (progress) => {
  console.log(progress);
});
const ran = await migrate(postgres.url).finally(() => postgres.stop());
console.log(ran.length === 0 ? 'The schema is up to date.' : `Ran ${ran.join(', ')}.`);

#!/bin/bash
# Start a Slurm of one machine, for tests: start_slurm.sh FOLDER
#
# FOLDER gets its configuration, logs and process ids. Two nodes share this machine, and Slurm believes
# that each has four processors and 64 GB. It has no accounting, remembers jobs for a day, samples the
# memory of jobs each second, and kills those above their request. It listens on the loopback address
# alone.
# To use it, put FOLDER/bin first on PATH. To stop it: kill $(cat FOLDER/*.pid).
# Debian's packages: slurmctld slurmd slurm-client munge. This needs root.
set -euo pipefail

folder=$(realpath -m "$1")
host=$(hostname -s)
mkdir -p "$folder"/{bin,state,spool}

for daemon in munged slurmctld slurmd; do
	command -v "$daemon" > /dev/null || {
		echo "$daemon is missing: apt-get install slurmctld slurmd slurm-client munge" >&2
		exit 1
	}
done

cat > "$folder/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CryptoType=crypto/munge
MpiDefault=none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
ReturnToService=2
SlurmdParameters=config_overrides
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_interval=1
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MinJobAge=86400
KillWait=5
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=26818 CPUs=4 RealMemory=64000
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=26819 CPUs=4 RealMemory=64000
PartitionName=test Nodes=one,two Default=YES MaxTime=INFINITE State=UP
CONF

# Snakemake's jobs drop all variables of Slurm, so that its commands bring their own.
for command in sbatch scancel scontrol sinfo squeue srun; do
	printf '#!/bin/sh\nSLURM_CONF=%q exec %q "$@"\n' "$folder/slurm.conf" "$(command -v "$command")" \
		> "$folder/bin/$command"
	chmod +x "$folder/bin/$command"
done
export SLURM_CONF=$folder/slurm.conf

head -c 1024 /dev/urandom > "$folder/munge.key"
chmod 400 "$folder/munge.key"
munged --force --key-file "$folder/munge.key" --socket "$folder/munge.socket" \
	--pid-file "$folder/munged.pid" --log-file "$folder/munged.log" --seed-file "$folder/munge.seed"
slurmctld -c
slurmd -N one
slurmd -N two

for _ in {1..60}; do
	[ "$(sinfo --noheader --format=%t --nodes one 2> /dev/null)" = idle ] && exit
	sleep 1
done
echo "Slurm's nodes are not idle after a minute; see $folder/*.log" >&2
exit 1
